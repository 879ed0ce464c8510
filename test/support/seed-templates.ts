import { checkTemplate, type Manifest } from '@davit/template';
import type { TestDaemon } from '@davit/testkit';
import type { TestCatalog } from '@davit/testkit/catalog';

const input = (key: string) => `\${input.${key}}`;

/** Returns a template in two releases: the second has another image, one app less, one new app, and one more input. */
function notes(tag: string, more: string): string {
  return `version: 1
name: Notes
project: notes
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
inputs:
  - {key: domain, type: domain, label: Host name of the notes, required: false}
  - {key: size, type: number, label: Largest upload, min: 100, max: 2000000, default: 1000000}
  - {key: colour, type: text, label: Colour, pattern: "^[a-z]+$", default: blue}
  - {key: mail, type: choice, label: Mail, options: [none, smtp], default: none}
  - {key: smtp, type: text, label: SMTP server, default: mail.example.com}
  - {key: secret, type: secret, label: Key that signs sessions, generate: 32}
apps:
  - key: web
    image: registry.test/acme/notes
    tag: "${tag}"
    port: 8080
    domains: [{host: "${input('domain')}"}]
    env: {SIZE: "${input('size')}", COLOUR: "${input('colour')}", SECRET: "${input('secret')}"}
    envWhen:
      - {when: {input: mail, equals: smtp}, env: {SMTP_HOST: "${input('smtp')}"}}
    volumes: [{path: /data}]
    limits: {cpu: 0.5, memory: 256Mi}
${more}`;
}

const WORKER = '  - {key: worker, image: registry.test/acme/notes-worker, tag: "1.0", port: 9000}\n';
const CRON = '  - {key: cron, image: registry.test/acme/notes-cron, tag: "2.0", port: 9000}\n';
const NEWER = `version: 1
project: tomorrow
minCubeship: ">=0.9.0"
minVersion: ">=9.0.0"
apps:
  - {key: web, image: registry.test/acme/tomorrow, tag: "1", port: 80}
`;
const SMALL = (name: string) => `version: 1
project: ${name}
apps:
  - {key: web, image: registry.test/acme/${name}, tag: "1", port: 80}
`;

const README = `# Notes

Takes **notes** and keeps them, as [its page](https://example.com/notes) says.

- with a \`/data\` volume
- and <script>alert('nothing of this runs')</script>

| setting | for |
|---------|-----|
| Colour | the frame |
`;

/** Number of small templates, more than one page of a listing. */
const MANY = 30;

function manifestOf(file: string): Manifest {
  const { manifest, diagnostics } = checkTemplate(file);
  if (manifest === null) throw new Error(`the seeded template is wrong: ${JSON.stringify(diagnostics)}`);
  return manifest;
}

/** A square of one color, which every browser can render. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGOQj+8HIgYIBQAbugQ1PYODmwAAAABJRU5ErkJggg==',
  'base64',
);

const release = (tag: string, source: string, readme = README) => ({
  tag,
  source,
  readme,
  icon: ICON,
  manifest: manifestOf(source),
});

/**
 * Fills a catalog and configures the daemon to list it. The catalog contains a template with two releases, a template
 * that does not fit this version, and more small templates than one page shows.
 */
export async function seedTemplates(daemon: TestDaemon, catalog: TestCatalog): Promise<void> {
  const small = Array.from({ length: MANY }, (_, i) => `small-${String(i + 1).padStart(2, '0')}`);
  catalog.add(
    ...small.map((name) => ({ name, description: 'Does one thing.', releases: [release('v1.0.0', SMALL(name))] })),
    {
      name: 'tomorrow',
      description: 'Needs what is not there yet.',
      topics: ['davit-template', 'future'],
      releases: [release('v1.0.0', NEWER)],
    },
    {
      name: 'notes',
      description: 'Takes notes and keeps them.',
      topics: ['davit-template', 'writing'],
      stars: 1_234,
      releases: [
        { ...release('v2.0.0', notes('2.0', CRON)), publishedAt: '2026-02-02T00:00:00Z' },
        { ...release('v1.0.0', notes('1.0', WORKER)), publishedAt: '2026-02-01T00:00:00Z' },
      ],
    },
  );
  await daemon.client.patchSettings({ body: { catalog: { url: catalog.url } } });
}
