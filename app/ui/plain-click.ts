import type { MouseEvent } from 'react';

/** Calls a function for a click that would open the link in this tab; all other clicks are left to the browser. */
export function onPlainClick<Pressed extends Element>(act: (click: MouseEvent<Pressed>) => void) {
  return (click: MouseEvent<Pressed>) => {
    if (click.button || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    click.preventDefault();
    act(click);
  };
}
