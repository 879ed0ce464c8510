import type { TemplateDetail } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTemplatePath } from '../../util/params.ts';
import { isThere } from '../installs/status.ts';
import { CreatesView } from './creates-view.tsx';
import { ReadmeView } from './readme-view.tsx';

/** Shows the README of a template and the resources that an installation creates. */
export function TemplateAbout({ template }: { template: TemplateDetail }) {
  const { title, description, readme, tags, manifest } = template;
  const { fits, problem } = useAnswer('getTemplateManifest', { params: useTemplatePath(), query: {} });
  return (
    <>
      <Installed template={template} />
      {!fits && <Notice tone="warning">{problem ?? 'This template is not compatible with this instance.'}</Notice>}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card title="About" description={description}>
          <ReadmeView markdown={readme} title={title} />
          {tags.length > 0 && <Tags tags={tags} />}
        </Card>
        <Card title="Resources to create">
          <CreatesView manifest={manifest} />
        </Card>
      </div>
    </>
  );
}

function Installed({ template: { owner, name } }: { template: TemplateDetail }) {
  const installs = useAnswer('listTemplateInstalls').filter(
    ({ origin, status }) => origin.owner === owner && origin.name === name && isThere(status),
  );
  if (installs.length === 0) return null;
  return (
    <Notice tone="good">
      Installed in{' '}
      {installs.map(({ id, project, environment }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link to={paths.install({ install: id })} className="underline">
            {project}/{environment}
          </Link>
        </span>
      ))}
      . You can install this template again.
    </Notice>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-1.5 pt-4">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to={paths.templates()}
            search={{ tag } as never}
            className="inline-flex min-h-6 items-center rounded bg-sunken px-2 text-xs break-all text-soft hover:text-text"
          >
            <bdi>{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
