import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

/** Says on hover and focus what a control is for, or why it cannot be used. */
export function WithReason({ reason, children }: { reason: string; children: ReactElement<Record<string, unknown>> }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} delay={300} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-50">
          <Tooltip.Popup className="max-w-72 rounded-md bg-text px-2.5 py-1.5 text-xs text-ground shadow-float">
            {reason}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
