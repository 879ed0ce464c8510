import { query, useAnswer } from '../api.ts';
import { IfMay } from '../components/admin/if-may.tsx';
import { NewButtons, NewDialogs } from '../components/projects/new-dialogs.tsx';
import { ProjectList } from '../components/projects/project-list.tsx';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/card.tsx';
import { Commands } from '../ui/copy.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { useSearchText } from '../util/params.ts';

export async function load({ queries }: LoadArgs): Promise<void> {
  await Promise.all([queries.ensureQueryData(query('listProjects')), queries.ensureQueryData(query('listApps'))]);
}

export function Page() {
  const projects = useAnswer('listProjects');
  const apps = useAnswer('listApps');
  const [text, setText] = useSearchText('filter');
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const shown = projects.filter(({ slug, environments }) =>
    words.every((word) => [slug, ...environments].some((name) => name.includes(word))),
  );
  return (
    <Frame
      title="Projects"
      actions={
        <>
          {projects.length > 1 && <FilterField label="Filter projects" text={text} onChange={setText} />}
          <NewButtons />
        </>
      }
    >
      {projects.length === 0 ? (
        <NoProject />
      ) : shown.length === 0 ? (
        <p className="py-6 text-center text-sm text-soft">No project or environment with “{text}” in the name.</p>
      ) : (
        <ProjectList projects={shown} apps={apps} />
      )}
      <NewDialogs />
    </Frame>
  );
}

function NoProject() {
  const [, open] = useSearchText('new');
  return (
    <Empty title="No projects">
      <p>This page lists the projects that you can access. A project groups apps and databases.</p>
      <IfMay permission="administer" what="create a project">
        <p>Create a project here or with the command line:</p>
        <Commands lines={[`davit login ${window.location.origin}`, 'davit project create shop']} />
        <div>
          <Button kind="primary" onClick={() => open('project')}>
            New project…
          </Button>
        </div>
      </IfMay>
    </Empty>
  );
}
