import { bytes, grouped } from '@davit/api';
import { Copy, Link as LinkIcon, Maximize2, Minimize2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { plainOf } from './ansi.ts';
import { indented } from './json-line.ts';
import type { Level } from './level.ts';
import type { Entry } from './log-buffer.ts';
import { LogText } from './log-text.tsx';
import { clockTime, wholeTime } from './period.ts';
import { MOST_SHOWN } from './row-layout.ts';
import { StreamLabel } from './stream-label.tsx';

const LEVEL_LOOKS: Record<Level, [sign: string, colour: string, edge: string]> = {
  error: ['E', 'text-error', 'border-error bg-error-soft/50'],
  warn: ['W', 'text-warning', 'border-warning bg-warning-soft/40'],
  info: ['I', 'text-accent', 'border-transparent'],
  debug: ['D', 'text-soft', 'border-transparent'],
  other: ['', 'text-soft', 'border-transparent'],
};

/** Display settings that all log rows of the page share. */
export interface RowLook {
  sought: string;
  isWrapped: boolean;
  isRaw: boolean;
  /** Width of the time column in characters, or 0 to hide the column. */
  timeColumns: number;
  /** Width of the replica column in characters, or 0 to hide the column. */
  replicaColumns: number;
}

export interface RowActions {
  onOpen: (entry: Entry) => void;
  onCopy: (entry: Entry) => void;
  onCopyLink: (entry: Entry) => void;
}

export interface LogRowProps extends RowActions {
  entry: Entry;
  look: RowLook;
  isOpen: boolean;
  /** Whether this log line was selected by the search or by a link. */
  isCurrent: boolean;
  /** Whether the log row shows its action buttons. */
  isActive: boolean;
}

export const LogRow = memo(function LogRow({ entry, look, isOpen, isCurrent, isActive, ...actions }: LogRowProps) {
  if (entry.isGap) return <Gap id={entry.id} />;
  const [sign, colour, edge] = LEVEL_LOOKS[entry.level];
  const cut = entry.line.length > MOST_SHOWN;
  const isTall = look.isWrapped || isOpen || cut;
  const rowClass = isCurrent ? 'bg-accent-soft border-accent' : isActive ? `${edge} bg-sunken` : edge;
  return (
    <div
      data-row={entry.id}
      data-current={isCurrent || undefined}
      data-tall={isTall || undefined}
      className={`relative flex ${isTall ? 'min-h-[22px]' : 'h-[22px]'} items-start border-l-[3px] pr-3 pl-2 ${rowClass}`}
    >
      <span className={`w-[2ch] shrink-0 font-semibold ${colour}`} title={sign && entry.level}>
        {sign}
      </span>
      {look.timeColumns > 0 && (
        <time
          dateTime={entry.at}
          title={wholeTime(entry.at)}
          className="shrink-0 text-soft"
          style={{ width: `${look.timeColumns}ch` }}
        >
          {clockTime(entry.at).slice(0, look.timeColumns - 1)}
        </time>
      )}
      {look.replicaColumns > 0 && (
        <span className="shrink-0 truncate text-soft" style={{ width: `${look.replicaColumns}ch` }}>
          {entry.replica}
        </span>
      )}
      <StreamLabel stream={entry.stream} />
      <span
        dir="ltr"
        className={look.isWrapped ? 'min-w-0 flex-1 break-all whitespace-break-spaces' : 'whitespace-pre'}
      >
        {isOpen ? (
          <Whole line={entry.line} />
        ) : (
          <LogText line={cut ? entry.line.slice(0, MOST_SHOWN) : entry.line} sought={look.sought} raw={look.isRaw} />
        )}
      </span>
      {(isActive || cut || isOpen) && (
        <Tools {...{ entry, isOpen, isActive, cut, ...actions }} isWrapped={look.isWrapped} />
      )}
    </div>
  );
});

/**
 * Shows a complete log line in a scrollable box. A log line can be up to 1 MiB long, and would fill the page without
 * the box.
 */
function Whole({ line }: { line: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a `section` would be a landmark for screen readers
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
      tabIndex={0}
      aria-label="Complete line"
      className="my-1 max-h-96 max-w-[min(70rem,80vw)] overflow-auto rounded-md border border-line bg-panel p-2 break-all whitespace-pre-wrap"
    >
      {plainOf(indented(line) ?? line).replaceAll('\u240a', '\n')}
    </div>
  );
}

function size(characters: number): string {
  return characters < 10_000 ? `${grouped(characters)} characters` : bytes(characters);
}

function Tools(
  props: { entry: Entry; isOpen: boolean; isActive: boolean; cut: boolean; isWrapped: boolean } & RowActions,
) {
  const { entry, isOpen, isActive, cut, isWrapped, onOpen, onCopy, onCopyLink } = props;
  return (
    <span
      className={`${isWrapped ? 'absolute top-0' : 'sticky ml-auto'} right-2 flex h-6 shrink-0 items-center gap-0.5 rounded-md border border-line bg-panel px-0.5 font-sans shadow-panel`}
    >
      {(cut || isOpen) && (
        <Tool label={isOpen ? 'Show one line' : 'Show all'} onPress={() => onOpen(entry)}>
          {isOpen ? 'Show less' : `Show all (${size(entry.line.length)})`}
        </Tool>
      )}
      {isActive && (
        <>
          {!cut && !isOpen && (
            <Tool label="Open line" onPress={() => onOpen(entry)}>
              <Maximize2 className="size-3.5" aria-hidden />
            </Tool>
          )}
          {isOpen && !cut && <Minimize2 className="size-3.5 text-soft" aria-hidden />}
          <Tool label="Copy line" onPress={() => onCopy(entry)}>
            <Copy className="size-3.5" aria-hidden />
          </Tool>
          <Tool label="Copy link to line" onPress={() => onCopyLink(entry)}>
            <LinkIcon className="size-3.5" aria-hidden />
          </Tool>
        </>
      )}
    </span>
  );
}

function Tool({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  const isWord = typeof children === 'string';
  return (
    <button
      type="button"
      /*
       * Remove the icon buttons from the tab order, so that the Tab key leaves the list quickly. The list has keyboard
       * shortcuts for these buttons.
       */
      tabIndex={isWord ? 0 : -1}
      aria-label={isWord ? undefined : label}
      title={label}
      onClick={onPress}
      className="inline-flex h-6 min-w-6 items-center justify-center rounded px-1 text-xs text-soft hover:bg-sunken hover:text-text"
    >
      {children}
    </button>
  );
}

function Gap({ id }: { id: number }) {
  return (
    <div data-row={id} className="flex h-[22px] items-center gap-3 px-2 text-warning">
      <span className="h-px flex-1 bg-warning/50" aria-hidden />
      Lines are missing here. They arrived too fast to be shown, or they were deleted.
      <span className="h-px flex-1 bg-warning/50" aria-hidden />
    </div>
  );
}
