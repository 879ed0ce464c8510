import type { Printer } from './printer.ts';

/** A secret that was made: the one thing on stdout, so that it can be piped where it belongs. */
export function shownOnce(out: Printer, value: unknown, secret: string, note: string): void {
  if (out.isJson) {
    out.json(value);
    return;
  }
  out.line(secret);
  out.note(note);
}
