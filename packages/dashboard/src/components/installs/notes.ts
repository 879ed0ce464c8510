import { count, type TemplateImport } from '@davit/api';

type Note = TemplateImport['notes'][number];

/** Groups the notes about a converted Compose file by service, in the order of the services in the file. */
export function byService(notes: readonly Note[]): { service: string | null; notes: Note[] }[] {
  const services = [...new Set(notes.map(({ service }) => service))];
  return services.map((service) => ({ service, notes: notes.filter((note) => note.service === service) }));
}

/** Summarizes the conversion of a Compose file, such as `12 settings converted, 3 changed, 1 not supported.` */
export function summary(notes: readonly Note[]): string {
  const numberOf = (kind: Note['kind']) => notes.filter((note) => note.kind === kind).length;
  return `${count(numberOf('carried'), 'setting')} converted, ${numberOf('changed')} changed, ${numberOf('left-out')} not supported.`;
}
