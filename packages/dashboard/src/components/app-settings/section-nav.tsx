import { Link } from '@tanstack/react-router';
import { intoView } from '../../ui/into-view.ts';
import { SECTIONS, type SectionId } from './sections.ts';

/**
 * Renders the links to the sections of an app's settings. On narrow screens, the links are in a row above the content.
 */
export function SectionNav({ current }: { current: SectionId }) {
  return (
    <nav
      aria-label="Settings"
      className="max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 sm:max-lg:mx-0 sm:max-lg:px-0"
    >
      <ul className="flex gap-0.5 max-lg:min-w-max lg:sticky lg:top-4 lg:flex-col">
        {SECTIONS.map(({ id, title }) => (
          <li key={id} ref={id === current ? intoView : undefined}>
            <Link
              to="."
              search={{ section: id } as never}
              aria-current={id === current ? 'page' : undefined}
              className={`block rounded-md px-2.5 py-1.5 text-sm whitespace-nowrap hover:bg-sunken ${id === current ? 'bg-sunken font-medium text-text' : 'text-soft'}`}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
