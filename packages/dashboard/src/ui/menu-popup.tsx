import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import type { MenuItem } from './menu-item.ts';

export function MenuPopup({
  trigger,
  items,
}: {
  trigger: ReactElement<Record<string, unknown>>;
  items: readonly MenuItem[];
}) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="min-w-44 rounded-lg border border-line bg-panel p-1 shadow-float outline-none">
            {items.map((item) => (
              <Base.Item
                key={item.label}
                disabled={item.disabledBecause != null}
                onClick={item.onSelect}
                className={`flex flex-col rounded-md px-2.5 py-1.5 text-sm outline-none data-[disabled]:opacity-60 data-[highlighted]:bg-sunken ${item.danger ? 'text-error' : ''}`}
              >
                <span className="flex items-center gap-2">
                  {item.icon}
                  <span className="flex-1">{item.label}</span>
                  {item.end}
                </span>
                {item.disabledBecause && <span className="max-w-60 text-xs text-soft">{item.disabledBecause}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
