import type { Deployment } from '@davit/api';
import { Download, WrapText, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { CompactSelect } from '../../ui/compact-select.tsx';
import { byNameAndNumber } from '../../util/name-order.ts';
import { FindField, type FindFieldProps } from './find-field.tsx';
import { LEVELS } from './level.ts';
import { toggled } from './log-filter.ts';
import { PeriodField } from './period-field.tsx';
import type { LogAddress, SetLogAddress } from './use-log-address.ts';

const STREAMS = [
  { value: '', label: 'stdout and stderr' },
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
];

const LEVEL_NAMES = { error: 'Error', warn: 'Warn', info: 'Info', debug: 'Debug', other: 'Other' } as const;

export interface LogToolbarProps extends FindFieldProps {
  deployments: readonly Deployment[];
  onDownload: () => Promise<void>;
}

export function LogToolbar({ deployments, onDownload, ...find }: LogToolbarProps) {
  const { address, set, feed } = find;
  const [isFetching, setFetching] = useState(false);
  const download = () => {
    setFetching(true);
    void onDownload().finally(() => setFetching(false));
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <FindField {...find} />
        <PeriodField key={`${address.since} ${address.until}`} address={address} set={set} />
      </div>
      {/* On a phone, put all log filters in one row, so that more log lines fit on the screen. */}
      <div className="flex flex-wrap items-center gap-2 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:*:shrink-0">
        <LevelChoice address={address} set={set} />
        <CompactSelect
          label="Replica"
          value={address.filter.replica ?? ''}
          onChange={(value) => set({ replica: value || null })}
          options={[{ value: '', label: 'All replicas' }, ...replicasOf(feed.replicas, address.filter.replica)]}
        />
        <CompactSelect
          label="Stream"
          value={address.filter.stream ?? ''}
          onChange={(value) => set({ stream: value || null })}
          options={STREAMS}
        />
        <CompactSelect
          label="Deployment"
          value={address.filter.deployment ?? ''}
          onChange={(value) => set({ deployment: value || null })}
          options={[{ value: '', label: 'All deployments' }, ...deploymentsOf(deployments, address.filter.deployment)]}
        />
        {address.filter.q !== null && <OnlyWith q={address.filter.q} onClear={() => set({ q: null })} />}
        <div className="ml-auto flex flex-wrap items-center gap-1 max-sm:flex-nowrap">
          <Toggle
            label="Timestamps"
            isOn={address.hasTimes}
            onPress={() => set({ times: address.hasTimes ? '0' : null })}
          />
          <Toggle label="Raw JSON" isOn={address.isRaw} onPress={() => set({ json: address.isRaw ? null : 'raw' })} />
          <IconButton
            label={address.isWrapped ? 'Do not wrap lines' : 'Wrap lines'}
            aria-pressed={address.isWrapped}
            onClick={() => set({ wrap: address.isWrapped ? null : '1' })}
            className={address.isWrapped ? 'bg-accent-soft text-accent' : ''}
          >
            <WrapText className="size-4" aria-hidden />
          </IconButton>
          <IconButton label="Download matching lines of all levels" busy={isFetching} onClick={download}>
            <Download className="size-4" aria-hidden />
          </IconButton>
        </div>
      </div>
    </div>
  );
}

/**
 * Shows the text by which the server filters the log lines. The text in the search field can differ, because the search
 * field only searches log lines in the browser.
 */
function OnlyWith({ q, onClear }: { q: string; onClear: () => void }) {
  return (
    <span className="inline-flex min-h-8 max-w-full items-center gap-1 rounded-md border border-accent bg-accent-soft py-0.5 pr-1 pl-2 text-xs text-accent">
      <span className="truncate">Filter: {q}</span>
      <button
        type="button"
        aria-label="Remove filter"
        onClick={onClear}
        className="inline-grid size-6 place-items-center rounded hover:bg-panel"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </span>
  );
}

function LevelChoice({ address, set }: { address: LogAddress; set: SetLogAddress }) {
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-edge/70">
      <legend className="sr-only">Levels</legend>
      {LEVELS.map((level) => {
        const isOn = address.levels?.has(level) ?? false;
        return (
          <button
            key={level}
            type="button"
            aria-pressed={isOn}
            title={level === 'other' ? 'Lines without a level' : undefined}
            onClick={() => set({ level: toggled(address.levels, level) })}
            className={`min-h-8 border-r border-edge/40 px-2 text-xs last:border-r-0 focus-visible:-outline-offset-2 ${isOn ? 'bg-accent-soft font-medium text-accent' : 'bg-panel text-soft hover:bg-sunken hover:text-text'}`}
          >
            {LEVEL_NAMES[level]}
          </button>
        );
      })}
    </fieldset>
  );
}

function Toggle({ label, isOn, onPress }: { label: string; isOn: boolean; onPress: () => void }) {
  return (
    <Button
      kind="quiet"
      aria-pressed={isOn}
      onClick={onPress}
      className={`min-h-8 px-2 text-xs ${isOn ? 'bg-accent-soft text-accent' : ''}`}
    >
      {label}
    </Button>
  );
}

function replicasOf(seen: ReadonlySet<string>, chosen: string | null) {
  const names = [...new Set([...seen, ...(chosen === null ? [] : [chosen])])].filter((name) => name !== '');
  return names.toSorted((a, b) => byNameAndNumber(b, a)).map((name) => ({ value: name, label: name }));
}

function deploymentsOf(deployments: readonly Deployment[], chosen: string | null) {
  const known = deployments.map(({ id, tag }) => ({ value: String(id), label: `#${id} · ${tag}` }));
  if (chosen === null || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: `#${chosen}` }];
}
