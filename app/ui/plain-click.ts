import type { MouseEvent } from 'react';

/** What a link does on a click that would follow it here; every other click is the browser's. */
export function onPlainClick<Pressed extends Element>(act: (click: MouseEvent<Pressed>) => void) {
  return (click: MouseEvent<Pressed>) => {
    if (click.button || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    click.preventDefault();
    act(click);
  };
}
