/** Result for a key of the Compose file: the import converted, changed or omitted the key. */
export type NoteKind = 'carried' | 'changed' | 'left-out';

export interface ImportNote {
  kind: NoteKind;
  /** Name of the Compose service that the note describes. `null` if the note is about the whole Compose file. */
  service: string | null;
  key: string;
  /**
   * One sentence about a key of the Compose file. It contains the location of the value in the template, the change, or
   * the reason why the key was omitted.
   */
  message: string;
}

/** Adds notes for the user. A note says that a key of the Compose file was converted, changed or omitted. */
export interface Teller {
  carried(key: string, message: string): void;
  changed(key: string, message: string): void;
  leftOut(key: string, message: string): void;
  /** Returns whether a note exists for a key or for a nested key, such as `deploy.replicas`. */
  has(key: string): boolean;
}

const ORDER: Record<NoteKind, number> = { carried: 0, changed: 1, 'left-out': 2 };

export class Notes {
  readonly #notes: ImportNote[] = [];
  readonly #services: (string | null)[] = [null];

  /**
   * Returns functions that add notes about the keys of one Compose service.
   * @param service name of the service. `null` means the root of the Compose file
   */
  of(service: string | null): Teller {
    if (!this.#services.includes(service)) this.#services.push(service);
    const addNote = (kind: NoteKind) => (key: string, message: string) => this.#add({ kind, service, key, message });
    const has = (key: string) =>
      this.#notes.some((note) => note.service === service && (note.key === key || note.key.startsWith(`${key}.`)));
    return { carried: addNote('carried'), changed: addNote('changed'), leftOut: addNote('left-out'), has };
  }

  /**
   * Returns all notes. Notes about the whole Compose file come first. Then come the notes about each service in the
   * order of the file, sorted by kind.
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
