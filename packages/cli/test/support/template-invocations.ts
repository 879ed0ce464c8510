/**
 * Test invocations of the commands for installed templates. The templates come from files, because no catalog is
 * running.
 */
import { slug } from '@davit/testkit';
import type { Setup } from './davit.ts';
import type { Invocation } from './invocations.ts';

const NO_CATALOG = 1;
const HAS_NONE = 6;

const fileOf = (project: string) =>
  [
    'version: 1',
    `project: ${project}`,
    'inputs:',
    '  - { key: word, type: secret, label: A word, generate: 24 }',
    'apps:',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a reference of the template format
    '  - { key: web, image: acme/web, tag: v1, env: { WORD: "${input.word}" } }',
    '',
  ].join('\n');

async function file({ davit }: Setup): Promise<string> {
  await davit.write('template.yaml', fileOf(slug('t')));
  return './template.yaml';
}

async function installed({ daemon }: Setup): Promise<string> {
  const body = { source: { file: fileOf(slug('t')) } };
  await daemon.client.installTemplateFile({ query: { wait: 'true' }, body });
  const [install] = await daemon.client.listTemplateInstalls();
  return String(install?.id);
}

function ofInstall(...more: readonly string[]): Invocation {
  return { words: async (fixture) => [await installed(fixture), ...more] };
}

export const TEMPLATE_INVOCATIONS: Record<string, Invocation> = {
  'template list': { words: () => ['--search', 'wiki'], exit: NO_CATALOG },
  'template tags': { words: () => [], exit: NO_CATALOG },
  'template manifest': { words: () => ['acme/wiki'], exit: NO_CATALOG },
  'template show': { words: () => ['acme/wiki'], exit: NO_CATALOG },
  'template releases': { words: () => ['acme/wiki'], exit: NO_CATALOG },
  'template install': { words: async (fixture) => [await file(fixture), '--project', slug('t')] },
  'template installed': { words: () => [] },
  'template secrets': ofInstall(),
  'template update': { ...ofInstall('--dry-run'), exit: HAS_NONE },
  'template rollback': { ...ofInstall(), exit: HAS_NONE },
  'template retry': { ...ofInstall(), exit: HAS_NONE },
  'template uninstall': ofInstall('--yes'),
};
