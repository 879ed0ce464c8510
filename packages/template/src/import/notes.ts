/** What the import did with a key of the Compose file: it was converted, changed or left out. */
export type NoteKind = 'carried' | 'changed' | 'left-out';

export interface ImportNote {
  kind: NoteKind;
  /** Name of the Compose service that the note is about. `null` if the note is about the whole file. */
  service: string | null;
  key: string;
  /**
   * One sentence about a key of the Compose file. It says where the value is in the template, what was changed, or why
   * the import left out the key.
   */
  message: string;
}

/**
 * Adds notes for the user: a key of a Compose service, or a root key of the Compose file, was converted, changed or
 * left out.
 */
export interface Teller {
  carried(key: string, message: string): void;
  changed(key: string, message: string): void;
  leftOut(key: string, message: string): void;
  /** Returns whether there is a note about a key, or about a key below it such as `deploy.replicas`. */
  has(key: string): boolean;
}

const ORDER: Record<NoteKind, number> = { carried: 0, changed: 1, 'left-out': 2 };

export class Notes {
  readonly #notes: ImportNote[] = [];
  readonly #services: (string | null)[] = [null];

  /**
   * Returns functions that add notes about the keys of one Compose service.
   * @param service name of the service, or `null` for the root of the file
   */
  of(service: string | null): Teller {
    if (!this.#services.includes(service)) this.#services.push(service);
    const addNote = (kind: NoteKind) => (key: string, message: string) => this.#add({ kind, service, key, message });
    const has = (key: string) =>
      this.#notes.some((note) => note.service === service && (note.key === key || note.key.startsWith(`${key}.`)));
    return { carried: addNote('carried'), changed: addNote('changed'), leftOut: addNote('left-out'), has };
  }

  /**
   * Returns all notes: first those on the whole Compose file, then those on each service in the order of the file,
   * sorted by kind.
   */
  all(): ImportNote[] {
    const position = ({ service, kind }: ImportNote) => this.#services.indexOf(service) * 3 + ORDER[kind];
    return this.#notes.toSorted((a, b) => position(a) - position(b));
  }

  #add(note: ImportNote): void {
    const isKnown = this.#notes.some(
      ({ service, key, message }) => service === note.service && key === note.key && message === note.message,
    );
    if (!isKnown) this.#notes.push(note);
  }
}
