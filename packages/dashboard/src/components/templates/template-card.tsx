import type { Template } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, LayoutTemplate, Star } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Time } from '../../ui/time.tsx';
import { rate } from '../../util/amounts.ts';

const MOST_TAGS = 3;

/** Renders a card for a template of the catalog. The whole card is a link to the template's page. */
export function TemplateCard({ template, installed }: { template: Template; installed: boolean }) {
  const { owner, name, title, description, icon_url, stars, tags, verified, release } = template;
  return (
    <article className="relative flex h-full flex-col gap-3 rounded-xl border border-line bg-panel p-4 shadow-panel hover:border-edge">
      <div className="flex items-start gap-3">
        <TemplateIcon url={icon_url} side={44} />
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-1.5 text-[0.9375rem]">
            <Link to={paths.template({ owner, name })} className="break-words after:absolute after:inset-0">
              <bdi>{title}</bdi>
            </Link>
            {verified && <Verified />}
          </h2>
          <p className="text-xs break-words text-soft">
            <bdi>
              {owner}/{name}
            </bdi>
          </p>
        </div>
        {installed && <span className="rounded bg-good-soft px-1.5 text-xs font-medium text-good">installed</span>}
      </div>
      <p className="line-clamp-3 flex-1 text-sm break-words">
        <bdi>{description || 'No description.'}</bdi>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
        <Stars stars={stars} />
        <bdi className="font-mono">{release.tag}</bdi>
        <Time at={release.published_at} />
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <bdi key={tag} className="rounded bg-sunken px-1.5 break-all">
            {tag}
          </bdi>
        ))}
      </p>
    </article>
  );
}

/** Renders the icon of a template without alternative text, because the template's title is next to the icon. */
export function TemplateIcon({ url, side }: { url: string; side: number }) {
  const [missing, setMissing] = useState(false);
  // If the template's icon cannot be loaded, show a default icon of the same size.
  if (missing) return <LayoutTemplate aria-hidden width={side} height={side} className="shrink-0 p-1.5 text-soft" />;
  return (
    <img
      src={url}
      alt=""
      onError={() => setMissing(true)}
      width={side}
      height={side}
      loading="lazy"
      decoding="async"
      className="shrink-0 rounded-lg bg-sunken object-contain"
    />
  );
}

export function Verified() {
  return (
    <span
      title="The catalog verified the owner of this template"
      className="inline-flex items-center gap-1 text-xs font-normal text-accent"
    >
      <BadgeCheck className="size-3.5" aria-hidden /> verified
    </span>
  );
}

export function Stars({ stars }: { stars: number }) {
  return (
    <span className="inline-flex items-center gap-1">
      <Star className="size-3.5" aria-hidden />
      {rate(stars)}
      <span className="sr-only"> {stars === 1 ? 'star' : 'stars'}</span>
    </span>
  );
}
