import type { TemplateDetail, TemplateRelease } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';
import { useSearchChange, useTemplatePath } from '../../util/params.ts';

export function ReleaseList({ template }: { template: TemplateDetail }) {
  const { releases } = useAnswer('listTemplateReleases', { params: useTemplatePath() });
  return (
    <Card title="Releases" description="Releases of this template in the catalog, newest first.">
      <ul aria-label="Releases" className="flex flex-col divide-y divide-line">
        {releases.map((release) => (
          <Row key={release.tag} release={release} isListed={release.tag === template.release.tag} />
        ))}
      </ul>
    </Card>
  );
}

function Row({
  release: { tag, name, url, commit, published_at },
  isListed,
}: {
  release: TemplateRelease;
  isListed: boolean;
}) {
  const change = useSearchChange();
  const forbidden = useForbidden('administer');
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 text-sm">
        <p className="flex flex-wrap items-center gap-x-2">
          <a href={url} target="_blank" rel="noreferrer" className="font-mono underline-offset-2 hover:underline">
            <bdi>{tag}</bdi>
          </a>
          {isListed && <span className="rounded bg-good-soft px-1.5 text-xs font-medium text-good">newest</span>}
          {name !== tag && <bdi className="text-soft">{name}</bdi>}
        </p>
        <p className="text-xs text-soft">
          <Time at={published_at} /> · <code className="font-mono">{commit.slice(0, 10)}</code>
        </p>
      </div>
      <Button
        aria-label={`Install ${tag}…`}
        disabledBecause={forbidden}
        onClick={() => change({ tab: 'install', release: isListed ? null : tag })}
      >
        Install…
      </Button>
    </li>
  );
}
