package dev.coatcheck.db.lease;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a write to a job in progress. Such a method takes a {@link Lease}, touches nothing once its
 * epoch has passed, and says which of both it was. Done twice it is done once, unless it says
 * otherwise: after a commit whose answer was lost it finds its own work and reports it as written.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Fenced {}
