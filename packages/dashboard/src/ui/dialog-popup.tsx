import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { DialogProps } from './dialog-props.ts';

export function DialogPopup({
  onOpenChange,
  title,
  description,
  children,
  wide = false,
  staysOpen = false,
}: Omit<DialogProps, 'open'>) {
  // Keep the element that had the focus before the dialog opened.
  const [before] = useState(() => document.activeElement);
  return (
    <Base.Root open onOpenChange={onOpenChange} disablePointerDismissal={staysOpen}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] items-start justify-items-center overflow-y-auto scroll-pb-20 p-3 pt-[8vh] sm:p-6 sm:pt-[10vh]">
          <Base.Popup
            finalFocus={() => focusAfter(before)}
            className={`w-full ${wide ? 'max-w-2xl' : 'max-w-lg'} rounded-xl border border-line bg-panel p-5 shadow-float outline-none`}
          >
            <div className="mb-3 flex items-start justify-between gap-4">
              <Base.Title className="text-lg leading-snug">{title}</Base.Title>
              <Base.Close
                aria-label="Close"
                className="-m-1.5 rounded-md p-1.5 text-soft hover:bg-sunken hover:text-text"
              >
                <X className="size-4" aria-hidden />
              </Base.Close>
            </div>
            {description && <Base.Description className="mb-4 text-sm text-soft">{description}</Base.Description>}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Returns the element that gets the focus after the dialog closes. `false` leaves the focus unchanged, and `true` uses
 * the default of the library.
 */
function focusAfter(before: Element | null): HTMLElement | boolean {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body && activeElement.closest('[role=dialog]') === null) return false;
  return before instanceof HTMLElement && before.isConnected && before !== body ? before : true;
}
