import { type SyntheticEvent, useRef } from 'react';

/**
 * Selects the content of the tag field if the form has moved the tag there. A tag that the user then types replaces the
 * moved tag. After the first click or key press in the field, the browser controls the selection.
 */
export function useMovedTag() {
  const isMoved = useRef(false);
  const forget = () => {
    isMoved.current = false;
  };
  const select = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    if (isMoved.current) currentTarget.select();
  };
  return {
    /** Must be called when the form has moved a tag. */
    noteMove: () => {
      isMoved.current = true;
    },
    /** Event handlers of the tag field. The end of a click removes a selection, so `onClick` selects again. */
    handlers: {
      onFocus: select,
      onClick: (event: SyntheticEvent<HTMLInputElement>) => {
        select(event);
        forget();
      },
      onKeyDown: forget,
    },
  };
}
