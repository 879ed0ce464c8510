import { type App, bytes } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { headersOf, query } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { TextField } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { nextCursor } from '../../util/next-cursor.ts';
import { useAppPath } from '../../util/params.ts';
import { shortDigest } from './short-digest.ts';
import { TagRow } from './tag-row.tsx';

export interface ChoiceProps {
  app: App;
  tag: string;
  onChoose: (tag: string) => void;
}

/**
 * Renders a field for an image tag of an external registry. The field suggests the tags of earlier deployments. Below
 * the field are the tags of images that are already on the server.
 */
export function TagChoice({ app, tag, onChoose }: ChoiceProps) {
  const id = useId();
  const deployments = useQuery(query('listDeployments', { params: useAppPath() }));
  const known = [...new Set((deployments.data ?? []).map((one) => one.tag))];
  return (
    <>
      <TextField
        label="Tag"
        mono
        autoFocus
        list={id}
        value={tag}
        onChange={({ target }) => onChoose(target.value)}
        hint={hintOf(app)}
      />
      <datalist id={id}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <LocalTags app={app} tag={tag} onChoose={onChoose} />
    </>
  );
}

/** Lists the tags of the images that are already on the server. Renders nothing while Docker does not respond. */
function LocalTags({ app, tag, onChoose }: ChoiceProps) {
  const isForbidden = useForbidden('operate') !== null;
  // Load the list of images each time the dialog opens, because builds on the server send no event.
  const { data: tags = [] } = useQuery({
    ...query('listLocalTags', { params: useAppPath(), query: { limit: '100' } as never }),
    enabled: !isForbidden,
    staleTime: 0,
  });
  if (tags.length === 0) return null;
  const isMore = nextCursor(headersOf(tags)) !== null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">Images on this server</legend>
      <div className="max-h-60 overflow-y-auto rounded-lg border border-line">
        {tags.map((one) => (
          <TagRow
            key={one.tag}
            tag={one.tag}
            isLive={one.tag === app.live_tag}
            isPinned={one.tag === app.tag}
            chosen={tag}
            onChoose={onChoose}
          >
            built <Time at={one.built_at} /> · {bytes(one.bytes)} · <code>{shortDigest(one.image_id)}</code>
          </TagRow>
        ))}
      </div>
      {isMore && (
        <p className="mt-2 text-sm text-soft">
          Only the newest {tags.length} images are listed. To deploy an older image, enter its tag.
        </p>
      )}
    </fieldset>
  );
}

function hintOf({ image, tag, live_tag: live }: App): string {
  const pinned = tag === null ? '' : ` The app is pinned to ${tag}.`;
  return `Tag of ${image}.${live === null ? ' No release is live yet.' : ` Live tag: ${live}.`}${pinned}`;
}
