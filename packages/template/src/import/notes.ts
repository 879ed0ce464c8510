/** What became of a key of the Compose file. */
export type NoteKind = 'carried' | 'changed' | 'left-out';

export interface ImportNote {
  kind: NoteKind;
  /** Null: it is said of the file as a whole. */
  service: string | null;
  /** As it is written in the Compose file. */
  key: string;
  /** One sentence: where it went, what is different now, or why it is not there. */
  message: string;
}

/** Collects what is told of one service, or of the file. */
export interface Teller {
  carried(key: string, message: string): void;
  changed(key: string, message: string): void;
  leftOut(key: string, message: string): void;
}

const ORDER: Record<NoteKind, number> = { carried: 0, changed: 1, 'left-out': 2 };

export class Notes {
  readonly #notes: ImportNote[] = [];
  readonly #services: (string | null)[] = [null];

  /** @param service null: of the file as a whole */
  of(service: string | null): Teller {
    if (!this.#services.includes(service)) this.#services.push(service);
    const tell = (kind: NoteKind) => (key: string, message: string) => this.#add({ kind, service, key, message });
    return { carried: tell('carried'), changed: tell('changed'), leftOut: tell('left-out') };
  }

  /** By service in the order of the file, the file as a whole first; then by what became of a key. */
  all(): ImportNote[] {
    const place = ({ service, kind }: ImportNote) => this.#services.indexOf(service) * 3 + ORDER[kind];
    return this.#notes.toSorted((a, b) => place(a) - place(b));
  }

  #add(note: ImportNote): void {
    const isKnown = this.#notes.some(
      ({ service, key, message }) => service === note.service && key === note.key && message === note.message,
    );
    if (!isKnown) this.#notes.push(note);
  }
}
