package dev.coatcheck.db.json;

/**
 * Why bytes are not JSON that we take.
 *
 * @param detail a sentence's worth, without any of the bytes
 */
public record JsonFault(String detail) {}
