import { operations } from '@davit/api';
import { importTemplate } from '../../resources/templates/compose-import.ts';
import {
  listTemplateReleases,
  listTemplates,
  listTemplateTags,
  readManifest,
  readTemplate,
  type TemplateName,
} from '../../resources/templates/template.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const templateRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listTemplates, async ({ ctx, query }) => ok(await listTemplates(core, ctx, query))),
  bind(operations.listTemplateTags, async ({ ctx }) => ok(await listTemplateTags(core, ctx))),
  bind(operations.getTemplate, async ({ ctx, params }) => ok(await readTemplate(core, ctx, nameIn(params)))),
  bind(operations.listTemplateReleases, async ({ ctx, params }) =>
    ok(await listTemplateReleases(core, ctx, nameIn(params))),
  ),
  bind(operations.getTemplateManifest, async ({ ctx, params, query }) =>
    ok(await readManifest(core, ctx, { ...nameIn(params), release: query.release })),
  ),
  bind(operations.importTemplate, async ({ body }) => ok(await importTemplate(body))),
];

export function nameIn({ owner = '', name = '' }: Record<string, string>): TemplateName {
  return { owner, name };
}
