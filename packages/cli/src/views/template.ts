import type { InstallPlan, Template, TemplateDetail, TemplateInstall, UpdatePreview } from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { day, minute } from '../output/words.ts';

export const templateList: ListView<Template> = {
  columns: [
    { header: 'template', value: ({ owner, name }) => `${owner}/${name}`, style: () => 'bold' },
    { header: 'title', value: ({ title }) => title },
    { header: 'release', value: ({ release }) => release.tag },
    { header: 'published', value: ({ release }) => day(release.published_at) },
    { header: 'verified', value: ({ verified }) => (verified ? 'yes' : '') },
    { header: 'description', value: ({ description }) => description },
  ],
  id: ({ owner, name }) => `${owner}/${name}`,
  empty: 'No matching templates.',
};

export function templateFields(template: TemplateDetail): Field[] {
  const { manifest, release } = template;
  return [
    ['template', `${template.owner}/${template.name}`, 'bold'],
    ['title', template.title],
    ['description', template.description],
    ['release', `${release.tag}, published ${day(release.published_at)}`],
    ['repository', template.url],
    ['verified', template.verified ? 'yes' : 'no'],
    ['tags', template.tags.join(', ') || undefined],
    ['apps', manifest.apps.map(({ name }) => name)],
    ['databases', manifest.databases.map(({ name, engine }) => `${name} (${engine})`)],
    ['object stores', manifest.stores.map(({ name }) => name)],
    ['inputs', manifest.inputs.map(inputLine)],
  ];
}

function inputLine({ key, type, label, required }: TemplateDetail['manifest']['inputs'][number]): string {
  return `${key}  ${label} (${type}${required ? '' : ', optional'})`;
}

const STYLES: Record<TemplateInstall['status'], Style> = {
  installing: 'cyan',
  installed: 'green',
  updating: 'cyan',
  failed: 'red',
  uninstalling: 'cyan',
  uninstalled: 'dim',
};

export const installList: ListView<TemplateInstall> = {
  columns: [
    { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'template', value: ({ title }) => title },
    { header: 'release', value: ({ origin }) => origin.release },
    { header: 'update', value: ({ update_available }) => update_available, style: () => 'yellow' },
    { header: 'environment', value: ({ project, environment }) => `${project}/${environment}` },
    { header: 'status', value: ({ status }) => status, style: ({ status }) => STYLES[status] },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
  ],
  id: ({ id }) => id,
  empty: 'No installations found. List the templates in the catalog: davit template list',
};

export function installFields(install: TemplateInstall): Field[] {
  return [
    ['installation', install.id, 'bold'],
    ['template', install.title],
    ['release', install.origin.release ?? undefined],
    ['commit', install.origin.commit ?? undefined],
    ['update', install.update_available ?? undefined, 'yellow'],
    ['environment', `${install.project}/${install.environment}`],
    ['status', install.status, STYLES[install.status]],
    ['error', install.error ?? undefined, 'red'],
    [
      'task',
      install.task === null ? undefined : `${install.task} (follow the task: davit task follow ${install.task})`,
    ],
    [
      'resources',
      install.resources.map(
        ({ kind, reference, state }) => `${kind} ${reference}${state === 'made' ? '' : ` (${state})`}`,
      ),
    ],
    ['inputs', Object.entries(install.inputs).map(([key, value]) => `${key}=${value}`)],
    [
      'secrets',
      install.secrets.length === 0
        ? undefined
        : `${install.secrets.join(', ')} (show the values: davit template secrets ${install.id})`,
    ],
  ];
}

function keptVolumeLine({ app, path, name, requires_adopt }: UpdatePreview['kept_volumes'][number]): string {
  const use = requires_adopt ? 'the app gets the volume only with --adopt-volumes' : 'the app gets the volume again';
  return `${name} at ${path} of ${app}: ${use}`;
}

/** Returns the fields to print for an installation plan or an update plan: resources, changes and problems. */
export function planFields(plan: InstallPlan | UpdatePreview): Field[] {
  const steps = 'resources' in plan ? plan.resources : plan.changes;
  return [
    ['compatible', plan.fits ? 'yes' : (plan.problem ?? 'no'), plan.fits ? undefined : 'red'],
    ['sha256', 'origin' in plan ? plan.origin.sha256 : plan.sha256],
    ['environment', 'project' in plan ? `${plan.project}/${plan.environment}` : undefined],
    [
      'changes',
      steps.map(
        ({ action, kind, reference, detail }) => `${action} ${kind} ${reference}${detail ? `: ${detail}` : ''}`,
      ),
    ],
    ['detached volumes', 'kept_volumes' in plan ? plan.kept_volumes.map(keptVolumeLine) : undefined],
    ['generated secrets', 'generated' in plan ? plan.generated : undefined],
    ['inputs', 'inputs' in plan ? plan.inputs : undefined],
    ['problems', plan.problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)), 'red'],
  ];
}
