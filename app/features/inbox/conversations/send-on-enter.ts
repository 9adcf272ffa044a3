import type { KeyboardEvent } from 'react';

/**
 * Enter in the message presses the first button of its form; Shift+Enter makes a line. On a telephone, whose keyboard
 * has no such pair, Enter makes a line.
 */
export function sendOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, shiftKey, target, currentTarget, nativeEvent } = event;
  // Enter ends a word of an input method there. Safari says so only by this number.
  const isComposing = nativeEvent.isComposing || nativeEvent.keyCode === 229;
  if (key !== 'Enter' || shiftKey || isComposing || !(target instanceof HTMLTextAreaElement)) return;
  if (!matchMedia('(pointer: fine)').matches) return;
  event.preventDefault();
  if (target.value.trim() !== '') currentTarget.querySelector('button')?.click();
}
