/**
 * While React takes a page over it sets each textarea back to the text that the server sent, so what somebody typed
 * before is lost; input elements keep theirs. From now on only people change textareas, until the returned function
 * has run. Call it before React starts.
 */
export function keepTypedText(): () => void {
  const areas = document.querySelectorAll('textarea');
  const { get } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
  for (const area of areas) Object.defineProperty(area, 'value', { configurable: true, get, set: () => undefined });
  return () => {
    for (const area of areas) Reflect.deleteProperty(area, 'value');
  };
}
