import { Dialog } from '@base-ui/react/dialog';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { AppWindow, Boxes, CornerDownLeft, FileText, Layers, type LucideIcon, Zap } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { query } from '../../api.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { sayProblem } from '../../ui/toast.tsx';
import { useMe } from '../me.ts';
import { signOut } from '../sign-out.ts';
import { chooseTheme } from '../theme.ts';
import { visitedPaths } from '../visits.ts';
import { type Entry, entriesOf } from './entries.ts';
import { ranked } from './rank.ts';

/** Maximum number of results that the command palette shows. To find other entries, the user types more letters. */
const MOST = 40;

const ICONS: Record<Entry['kind'], LucideIcon> = {
  page: FileText,
  project: Boxes,
  environment: Layers,
  app: AppWindow,
  action: Zap,
};

/** Renders the command palette. In the command palette, users can open any page or form with the keyboard. */
export function Palette({
  typed,
  onType,
  onReady,
  onClose,
}: {
  /**
   * Text in the text field of the command palette. The text can contain letters that the user typed before the palette
   * was loaded.
   */
  typed: string;
  onType: (text: string) => void;
  /**
   * Called when the text field of the command palette gets the focus. From then on, the text field receives the keys.
   */
  onReady: (field: HTMLInputElement) => void;
  onClose: () => void;
}) {
  const [at, setAt] = useState(0);
  const listId = useId();
  const { found, isLoading, error } = useFound(typed);
  const choose = useChoose(onClose);
  const chosen = Math.min(at, found.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moved(event.key, chosen, found.length);
    if (to !== null) {
      event.preventDefault();
      setAt(to);
      document.getElementById(`${listId}-${to}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const entry = found[chosen];
      if (entry) choose(entry);
    }
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed inset-x-3 top-[8vh] z-40 mx-auto flex max-h-[70vh] max-w-xl flex-col overflow-hidden rounded-xl border border-line bg-panel shadow-float outline-none sm:top-[12vh]">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <input
            type="text"
            role="combobox"
            aria-label="Search"
            aria-expanded={found.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={found.length > 0 ? `${listId}-${chosen}` : undefined}
            placeholder="Search for a project, an app, a page or an action…"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              onType(event.target.value);
              setAt(0);
            }}
            onFocus={({ currentTarget: field }) => {
              field.setSelectionRange(field.value.length, field.value.length);
              onReady(field);
            }}
            onKeyDown={onKeyDown}
            className="min-h-12 w-full shrink-0 border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-soft"
          />
          <div id={listId} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-1.5">
            {found.map((entry, i) => (
              <Row
                key={entry.text}
                id={`${listId}-${i}`}
                entry={entry}
                isAt={i === chosen}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
          <Below typed={typed} found={found.length} isLoading={isLoading} error={error} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Returns the index of the command palette entry that is selected after a key press. Returns `null` if the key does not
 * change the selection.
 */
function moved(key: string, at: number, length: number): number | null {
  if (length === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % length;
  if (key === 'ArrowUp') return (at - 1 + length) % length;
  if (key === 'PageDown') return Math.min(at + 8, length - 1);
  if (key === 'PageUp') return Math.max(at - 8, 0);
  return null;
}

/**
 * Returns the command palette entries that match the typed text. The lists of projects and apps are fetched when the
 * command palette opens. Cached lists are searched immediately.
 */
function useFound(typed: string) {
  const { role } = useMe();
  const projects = useQuery(query('listProjects'));
  const apps = useQuery(query('listApps'));
  const entries = useMemo(
    () => entriesOf({ role, projects: projects.data ?? [], apps: apps.data ?? [] }),
    [role, projects.data, apps.data],
  );
  const searchText = useDeferredValue(typed);
  const found = useMemo(() => {
    const among = searchText.trim() === '' ? entries.filter(({ isDeep }) => !isDeep) : entries;
    return ranked(searchText, among, visitedPaths()).slice(0, MOST);
  }, [searchText, entries]);
  const error = projects.error ?? apps.error;
  return { found, isLoading: error === null && (projects.isPending || apps.isPending), error };
}

function useChoose(onClose: () => void): (entry: Entry) => void {
  const router = useRouter();
  const queries = useQueryClient();
  return ({ does, disabledBecause }) => {
    if (disabledBecause !== null) return;
    onClose();
    if (does === 'sign out') void signOut(queries, router).catch(sayProblem);
    else if (does === 'documentation') window.open('/docs', '_blank', 'noreferrer');
    else if ('theme' in does) chooseTheme(does.theme);
    else void router.navigate({ to: does.to, search: (does.search ?? {}) as never });
  };
}

function Row({ id, entry, isAt, onChoose }: { id: string; entry: Entry; isAt: boolean; onChoose: () => void }) {
  const Icon = ICONS[entry.kind];
  const { text, kind, disabledBecause } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the input field keeps the focus and refers to the active option
    <div
      id={id}
      role="option"
      aria-selected={isAt}
      aria-disabled={disabledBecause !== null || undefined}
      onClick={onChoose}
      className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-sm aria-disabled:cursor-default aria-disabled:text-soft ${isAt ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    >
      <Icon className="size-4 shrink-0 text-soft" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{text}</span>
        {disabledBecause !== null && <span className="block text-xs text-soft">{disabledBecause}</span>}
      </span>
      <span className="shrink-0 text-xs text-soft max-sm:hidden">{kind}</span>
      {isAt && <CornerDownLeft className="size-3.5 shrink-0 text-soft" aria-hidden />}
    </div>
  );
}

function Below({
  typed,
  found,
  isLoading,
  error,
}: {
  typed: string;
  found: number;
  isLoading: boolean;
  error: Error | null;
}) {
  return (
    <div role="status" className="px-4 text-sm text-soft">
      {isLoading && (
        <p className="flex items-center gap-2 pb-3">
          <Spinner /> Loading projects and apps…
        </p>
      )}
      {error !== null && <p className="pb-3 text-error">{error.message}</p>}
      {found === 0 && !isLoading && <p className="pb-4 break-words">No results for “{typed.trim()}”.</p>}
    </div>
  );
}
