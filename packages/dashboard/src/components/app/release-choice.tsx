import { type App, bytes, type Release } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headersOf, query } from '../../api.ts';
import { Commands } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Time } from '../../ui/time.tsx';
import { nextCursor } from '../../util/next-cursor.ts';
import { useAppPath } from '../../util/params.ts';
import { shortDigest } from './short-digest.ts';
import type { ChoiceProps } from './tag-choice.tsx';
import { TagRow } from './tag-row.tsx';

/** If an app has more releases than this number, the list of releases has a filter field. */
const MANY = 8;

export function ReleaseChoice({ app, tag, onChoose }: ChoiceProps) {
  const params = useAppPath();
  const releases = useQuery(query('listReleases', { params, query: { limit: '100' } as never }));
  const registry = useQuery(query('getOwnRegistry'));
  const [sought, setSought] = useState<string | null>(null);
  if (releases.error) return <Problem error={releases.error} />;
  if (!releases.data) return <Spinner label="Loading the releases" />;
  const all = releases.data;
  const shown = all.filter((one) => one.tag.toLowerCase().includes((sought ?? '').trim().toLowerCase()));
  const isMore = nextCursor(headersOf(all)) !== null;
  if (all.length === 0) {
    const image = `${registry.data?.address ?? ''}/${app.reference}:v1`;
    return (
      <div className="flex flex-col gap-2 text-sm">
        <p>No images yet. Push an image for this app:</p>
        <Commands lines={[`docker push ${image}`]} />
      </div>
    );
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 flex w-full flex-wrap items-center justify-between gap-2 text-sm font-medium">
        Release
      </legend>
      {all.length > MANY && <FilterField label="Filter releases" text={sought} onChange={setSought} />}
      <div className="mt-2 max-h-72 overflow-y-auto rounded-lg border border-line">
        {shown.map((release) => (
          <One key={release.tag} release={release} app={app} chosen={tag} onChoose={onChoose} />
        ))}
        {shown.length === 0 && <p className="p-3 text-sm text-soft">No matching releases.</p>}
      </div>
      {isMore && (
        <TextField
          className="mt-3"
          label="Tag of an older release (only the newest 100 are listed)"
          mono
          value={all.some((one) => one.tag === tag) ? '' : tag}
          onChange={({ target }) => onChoose(target.value)}
        />
      )}
    </fieldset>
  );
}

interface OneProps {
  release: Release;
  app: App;
  chosen: string;
  onChoose: (tag: string) => void;
}

function One({ release, app, chosen, onChoose }: OneProps) {
  const { tag, digest, bytes: size, pushed_at, pushed_by, live } = release;
  return (
    <TagRow tag={tag} isLive={live} isPinned={app.tag === tag} chosen={chosen} onChoose={onChoose}>
      pushed <Time at={pushed_at} />
      {pushed_by !== null && ` by ${pushed_by}`}
      {size !== null && ` · ${bytes(size)}`} · <code>{shortDigest(digest)}</code>
    </TagRow>
  );
}
