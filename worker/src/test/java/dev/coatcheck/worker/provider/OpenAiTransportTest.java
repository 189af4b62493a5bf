package dev.coatcheck.worker.provider;

class OpenAiTransportTest extends TransportContract {
  OpenAiTransportTest() {
    super("openai");
  }
}
