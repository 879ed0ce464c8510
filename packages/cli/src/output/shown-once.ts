import type { Printer } from './printer.ts';

/** Prints a new secret. Only the secret goes to stdout, so that users can pipe it. The note goes to stderr. */
export function shownOnce(out: Printer, value: unknown, secret: string, note: string): void {
  if (out.isJson) {
    out.json(value);
    return;
  }
  out.line(secret);
  out.note(note);
}
