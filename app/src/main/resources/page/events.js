// Server-sent events read with fetch, since EventSource cannot send an Authorization header.

const MOST_BUFFERED = 16_000_000;

/** Yields each event of the response as { id, type, data }, data being parsed. */
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    rest += value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const event = parse(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (event) {
        yield event;
      }
    }
    if (rest.length > MOST_BUFFERED) {
      throw new Error("an event without an end");
    }
  }
}

function parse(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) {
      fields[line.slice(0, colon)] = line.slice(colon + 2);
    }
  }
  return fields.data ? { id: Number(fields.id), type: fields.event, data: JSON.parse(fields.data) } : null;
}
