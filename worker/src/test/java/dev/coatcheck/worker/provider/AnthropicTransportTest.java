package dev.coatcheck.worker.provider;

class AnthropicTransportTest extends TransportContract {
  AnthropicTransportTest() {
    super("anthropic");
  }
}
