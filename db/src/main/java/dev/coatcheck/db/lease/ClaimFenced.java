package dev.coatcheck.db.lease;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a write that says what became of a tool call, to be made by the run that claimed it. The
 * epoch which counts is the one that the call was claimed under, and not its job's: a tool that ran
 * while its job was cancelled, expired or reaped has run, and that is to be seen. Once another run
 * has claimed the call, such a method touches nothing. Done twice it is done once.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ClaimFenced {}
