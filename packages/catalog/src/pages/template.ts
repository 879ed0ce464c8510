import type { Manifest } from '@davit/template';
import type { Answer } from '../http/answer.ts';
import type { PageContext } from './context.ts';
import { itemOf } from './item.ts';
import { unknownTemplatePage, unlistedPage } from './plain-pages.ts';
import { keptPage, passingPage, redirect } from './respond.ts';
import { templatePath } from './site.ts';
import { templatePage } from './template-page.ts';

/**
 * Responds with the web page of a template. A Git repository also has a page if it has no accepted release.
 * @throws StoreUnavailable
 */
export async function showTemplate(pages: PageContext, owner: string, name: string): Promise<Answer | Response> {
  const { reader, config, site, readmes } = pages;
  const now = new Date();
  const detail = reader.template(owner, name);
  const releases = reader.releases(owner, name);
  if (!detail) {
    return releases
      ? keptPage(unlistedPage(site, { owner, name, releases, now }))
      : passingPage(unknownTemplatePage(site, owner, name), 404);
  }
  if (detail.owner !== owner || detail.name !== name) return redirect(site.at(templatePath(detail.owner, detail.name)));
  const { commit } = detail.release;
  const readme = await readmes.render(detail.readme, { url: detail.url, owner, name, commit });
  const { source, problems } = detail;
  const manifest = JSON.parse(detail.manifest) as Manifest;
  const item = itemOf(detail, config);
  return keptPage(templatePage(site, { item, manifest, source, problems, readme, releases: releases ?? [], now }));
}
