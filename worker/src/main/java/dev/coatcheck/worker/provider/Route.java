package dev.coatcheck.worker.provider;

/**
 * Who serves a model.
 *
 * @param model the model's name as the provider knows it
 */
public record Route(Provider provider, String model) {}
