import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

type Child = ReactElement<Record<string, unknown>>;
type Handler = ((event: unknown) => void) | undefined;

/** Minimum distance in pixels between the tooltip and the edges of the window. */
const MARGIN = 8;

/**
 * Shows a tooltip on hover and focus, for example with the reason why a button is disabled. The tooltip stays open
 * while the pointer is over it. The Escape key closes the tooltip.
 */
export function WithReason({ reason, children }: { reason: string; children: Child }) {
  const id = useId();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  const hide = () => setAnchor(null);
  const isShown = anchor !== null;
  useEscape(isShown, hide);
  const also = (name: string, own: (event: { currentTarget: Element; relatedTarget: unknown }) => void) => ({
    [name]: (event: { currentTarget: Element; relatedTarget: unknown }) => {
      (children.props[name] as Handler)?.(event);
      own(event);
    },
  });
  const child = cloneElement(children, {
    ...also('onPointerEnter', ({ currentTarget }) => setAnchor(currentTarget)),
    ...also('onPointerLeave', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && bubble.current?.contains(relatedTarget))) hide();
    }),
    ...also('onFocus', ({ currentTarget }) => {
      if (currentTarget.matches(':focus-visible')) setAnchor(currentTarget);
    }),
    ...also('onBlur', hide),
    'aria-describedby':
      [children.props['aria-describedby'], isShown ? id : undefined].filter(Boolean).join(' ') || undefined,
  });
  return (
    <>
      {child}
      {anchor &&
        createPortal(
          <div
            ref={(element) => {
              bubble.current = element;
              if (element) positionTooltip(element, anchor);
            }}
            onPointerLeave={hide}
            id={id}
            role="tooltip"
            className="reason fixed z-50 py-1.5"
          >
            <div className="w-max max-w-72 rounded-md bg-text px-2.5 py-1.5 text-xs text-ground shadow-float">
              {reason}
            </div>
          </div>,
          document.body,
        )}
    </>
  );
}

function useEscape(isShown: boolean, hide: () => void): void {
  useEffect(() => {
    if (!isShown) return;
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

/**
 * Places the tooltip below its element. If there is not enough space, the tooltip is placed above the element. The
 * tooltip stays inside the window.
 */
function positionTooltip(element: HTMLElement, anchor: Element): void {
  const { left, width, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = element;
  const middle = left + width / 2 - offsetWidth / 2;
  const most = document.documentElement.clientWidth - offsetWidth - MARGIN;
  element.style.left = `${Math.max(MARGIN, Math.min(middle, most))}px`;
  const fitsBelow = bottom + offsetHeight <= window.innerHeight;
  element.style.top = `${fitsBelow ? bottom : Math.max(0, top - offsetHeight)}px`;
}
