import type { Printer } from './printer.ts';

/** Prints a new secret to stdout and a note to stderr. Therefore, users can pipe the secret into another command. */
export function shownOnce(out: Printer, value: unknown, secret: string, note: string): void {
  if (out.isJson) {
    out.json(value);
    return;
  }
  out.line(secret);
  out.note(note);
}
