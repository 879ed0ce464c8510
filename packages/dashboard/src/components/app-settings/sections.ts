export const SECTIONS = [
  { id: 'source', title: 'Source' },
  { id: 'health', title: 'Health check' },
  { id: 'command', title: 'Command' },
  { id: 'resources', title: 'Resources & scale' },
  { id: 'stop', title: 'Stopping' },
  { id: 'domains', title: 'Domains' },
  { id: 'tcp-ports', title: 'TCP ports' },
  { id: 'volumes', title: 'Volumes' },
  { id: 'files', title: 'Files' },
  { id: 'labels', title: 'Labels' },
  { id: 'revisions', title: 'Revisions' },
  { id: 'danger', title: 'Danger zone' },
] as const;
export type SectionId = (typeof SECTIONS)[number]['id'];

/** Returns the section of the app settings that the URL names. Default: the section `source`. */
export function sectionOf(text: unknown): SectionId {
  return SECTIONS.find(({ id }) => id === text)?.id ?? 'source';
}
