import type { Task, TemplateDetail } from '@davit/api';
import { Suspense } from 'react';
import { useAnswer } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSearchText, useTemplatePath } from '../../util/params.ts';
import { InstallForm } from '../installs/install-form.tsx';

/** Renders the select field for a template release, and the install form for the selected release. */
export function InstallCard({ template, onBegun }: { template: TemplateDetail; onBegun: (task: Task) => void }) {
  const { releases } = useAnswer('listTemplateReleases', { params: useTemplatePath() });
  const [chosen, choose] = useSearchText('release');
  const listed = template.release.tag;
  const release = chosen ?? listed;
  const known = releases.map(({ tag }) => tag);
  return (
    <Card title={`Install ${template.title}`} className="w-full max-w-3xl self-center">
      <div className="flex flex-col gap-5">
        <SelectField
          label="Release"
          value={release}
          options={[...(known.includes(release) ? [] : [release]), ...known].map((tag) => ({
            value: tag,
            label: tag === listed ? `${tag} (newest)` : tag,
          }))}
          onChange={(tag) => choose(tag === listed ? null : tag)}
        />
        <Suspense fallback={<Spinner label="Loading the release" />}>
          <ReleaseForm key={release} template={template} release={chosen} onBegun={onBegun} />
        </Suspense>
      </div>
    </Card>
  );
}

function ReleaseForm({
  template: { owner, name },
  release,
  onBegun,
}: {
  template: TemplateDetail;
  release: string | null;
  onBegun: (task: Task) => void;
}) {
  const params = useTemplatePath();
  const { manifest } = useAnswer('getTemplateManifest', { params, query: release === null ? {} : { release } });
  const [project] = useSearchText('project');
  const [environment] = useSearchText('environment');
  return (
    <InstallForm
      offer={{ from: 'catalog', owner, name, release }}
      manifest={manifest}
      place={{ project, environment }}
      onBegun={onBegun}
    />
  );
}
