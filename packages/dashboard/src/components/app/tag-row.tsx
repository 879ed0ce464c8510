import { type ReactNode, useId } from 'react';

export interface TagRowProps {
  tag: string;
  isLive: boolean;
  isPinned: boolean;
  /** Tag that the user has selected. The selected tag may belong to another row. */
  chosen: string;
  onChoose: (tag: string) => void;
  /** Details about the image, such as its age and size. */
  children: ReactNode;
}

/** Renders a tag that users can choose for a deployment. */
export function TagRow({ tag, isLive, isPinned, chosen, onChoose, children }: TagRowProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5 border-b border-line px-3 py-2 text-sm last:border-0 has-checked:bg-accent-soft">
      <input
        type="radio"
        id={id}
        name="release"
        value={tag}
        checked={tag === chosen}
        onChange={() => onChoose(tag)}
        aria-describedby={`${id}-facts`}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <label htmlFor={id} className="font-mono text-[0.8125rem] font-medium break-all">
            {tag}
          </label>
          {isLive && <Mark tone="bg-good-soft text-good">live</Mark>}
          {isPinned && <Mark tone="bg-accent-soft text-accent">pinned</Mark>}
        </div>
        <p id={`${id}-facts`} className="text-xs text-soft">
          {children}
        </p>
      </div>
    </div>
  );
}

function Mark({ tone, children }: { tone: string; children: string }) {
  return <span className={`rounded px-1.5 text-xs font-medium ${tone}`}>{children}</span>;
}
