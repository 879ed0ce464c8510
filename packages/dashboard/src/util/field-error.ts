import { DavitError } from '@davit/api';

/** What a refusal says of one field, `health.path`; null: it is about something else. The server names the field first. */
export function errorFor(error: Error | null, field: string): string | null {
  const start = `${field}: `;
  return error instanceof DavitError && error.message.startsWith(start) ? error.message.slice(start.length) : null;
}

/** The same of a field with parts, such as the arguments of a command: whichever of them it is about. */
export function errorWithin(error: Error | null, field: string): string | null {
  if (!(error instanceof DavitError) || !error.message.startsWith(field)) return null;
  return /^[.:[]/.test(error.message.slice(field.length)) ? error.message.slice(field.length).replace(/^: /, '') : null;
}

/** A refusal that is about none of the fields that a form shows: it stands at the form's end. */
export function errorBeside(error: Error | null, fields: readonly string[]): Error | null {
  return error !== null && fields.some((field) => errorFor(error, field) !== null) ? null : error;
}
