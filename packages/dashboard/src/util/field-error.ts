import { DavitError } from '@davit/api';

const NAMED = /^([a-z_][a-z0-9_.[\]]*): (.*)$/is;

/** What a refusal says of one field, `health.path`; null: it is about something else. The server names the field first. */
export function errorFor(error: Error | null, field: string): string | null {
  const [, named, sentence] = (error instanceof DavitError && NAMED.exec(error.message)) || [];
  return named === field ? (sentence ?? null) : null;
}

/** A refusal that is about none of the fields that a form shows: it stands at the form's end. */
export function errorBeside(error: Error | null, fields: readonly string[]): Error | null {
  return error !== null && fields.some((field) => errorFor(error, field) !== null) ? null : error;
}
