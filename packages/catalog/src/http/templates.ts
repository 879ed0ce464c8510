/** API routes for templates: listing, details, manifest, releases and icons. */
import { CatalogError } from '@davit/api/catalog/errors.ts';
import type { CatalogConfig } from '../config/config.ts';
import { fileUrl } from '../source/addresses.ts';
import type { ReleaseRecord, TemplateDetail } from '../store/types.ts';
import { Answer, FOR_EVER, MINUTE } from './answer.ts';
import type { Answers, Read } from './answers.ts';
import type { Cursors } from './cursor.ts';
import type { Exchange, Route } from './exchange.ts';
import { itemOf, withoutListing } from './item.ts';
import { type ListRequest, readListQuery, readReleaseQuery } from './query.ts';

export interface TemplateParts {
  answers: Answers;
  config: CatalogConfig;
  cursors: Cursors;
}

const ICON = /^([1-9]\d{0,15})\/([0-9a-f]{7,64})\.png$/;

export function templateRoutes(parts: TemplateParts): Route[] {
  const { answers, config, cursors } = parts;
  return [
    get('listTemplates', '/templates', (exchange) => {
      const listRequest = readListQuery(exchange.query);
      const key = keyOf(
        'list',
        listRequest.sort,
        listRequest.q,
        listRequest.tag,
        listRequest.limit,
        listRequest.cursor,
      );
      return answers.get(key, (read) => listing(listRequest, read, config, cursors));
    }),
    ...repositoryRoutes(parts),
    get('listTags', '/tags', () =>
      answers.get('tags', (read) =>
        json(
          line({
            tags: withoutListing(
              read((reader) => reader.topics()),
              config,
            ),
          }),
        ),
      ),
    ),
    get('getIcon', '/icons/:repository/:file', (exchange) => {
      const path = `${exchange.param('repository')}/${exchange.param('file')}`;
      const [, repository, commit = ''] = ICON.exec(path) ?? [];
      if (!Number.isSafeInteger(Number(repository ?? Number.NaN))) throw noIcon();
      return answers.get(keyOf('icon', path), (read) => {
        const png = read((reader) => reader.icon(Number(repository), commit));
        if (png === null) throw noIcon();
        return new Answer(png, { type: 'image/png', caching: FOR_EVER, packed: true });
      });
    }),
  ];
}

/** Returns the API routes for a single template, such as `/templates/:owner/:name`. */
function repositoryRoutes({ answers, config }: TemplateParts): Route[] {
  return [
    get('getTemplate', '/templates/:owner/:name', (exchange) => {
      const { owner, name, key } = repositoryIn(exchange);
      return answers.get(keyOf('template', key), (read) => {
        const found = read((reader) => reader.template(owner, name)) ?? notListed();
        return json(detail(found, config));
      });
    }),
    get('getManifest', '/templates/:owner/:name/manifest', (exchange) => {
      const { owner, name, key } = repositoryIn(exchange);
      const release = readReleaseQuery(exchange.query);
      return answers.get(keyOf('manifest', key, release), (read) => {
        const found = read((reader) => reader.manifest(owner, name, release));
        return json(
          found ??
            notListed(
              'The template does not exist, or has no accepted release with this tag. Check the name and the tag.',
            ),
        );
      });
    }),
    get('listReleases', '/templates/:owner/:name/releases', (exchange) => {
      const { owner, name, key } = repositoryIn(exchange);
      return answers.get(keyOf('releases', key), (read) => {
        const found = read((reader) => reader.releases(owner, name)) ?? notListed();
        return json(line({ releases: found.map(releaseOf) }));
      });
    }),
  ];
}

function get(id: string, path: string, answer: (exchange: Exchange) => Answer): Route {
  return { id, method: 'GET', path, handle: (exchange) => answer(exchange).respond(exchange.headers) };
}

function listing(listRequest: ListRequest, read: Read, config: CatalogConfig, cursors: Cursors): Answer {
  const { cursor, ...query } = listRequest;
  const after = cursor === null ? null : cursors.read(cursor, listRequest);
  const { templates, next } = read((reader) => reader.list({ ...query, after }));
  return json(
    line({
      templates: templates.map((one) => itemOf(one, config)),
      next_cursor: next && cursors.write(next, listRequest),
    }),
  );
}

/**
 * Returns a template as JSON text. The database stores the manifest as JSON text, so this function inserts the text
 * without parsing it.
 */
function detail(found: TemplateDetail, config: CatalogConfig): string {
  const { readme, source, manifest, release } = found;
  const source_url = fileUrl(found.owner, found.name, release.commit, 'template.yaml');
  const rest = JSON.stringify({ ...itemOf(found, config), readme, source, source_url });
  return `${rest.slice(0, -1)},"manifest":${manifest}}\n`;
}

function releaseOf({ tag, name, url, commit, publishedAt, status, problems }: ReleaseRecord) {
  return { tag, name: name || tag, url, commit, published_at: publishedAt, status, problems };
}

function repositoryIn(exchange: Exchange): { owner: string; name: string; key: string } {
  const owner = exchange.param('owner');
  const name = exchange.param('name');
  return { owner, name, key: `${owner}/${name}`.toLowerCase() };
}

/**
 * Returns the cache key for the parsed parameters of an HTTP request. Different spellings of the same URL have the same
 * key.
 */
function keyOf(...parts: (string | number | null)[]): string {
  return JSON.stringify(parts);
}

function json(body: string): Answer {
  return new Answer(body, { type: 'application/json', caching: MINUTE });
}

function line(body: object): string {
  return `${JSON.stringify(body)}\n`;
}

function notListed(message = 'The catalog does not have this template. Check its name.'): never {
  throw new CatalogError('not_found', message);
}

function noIcon(): CatalogError {
  return new CatalogError('not_found', 'The icon does not exist. Use the address in icon_url.');
}
