/** Elements that can be typed into, chosen or focused. */
const used = 'a,button,details,input,select,summary,textarea';
type Value = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps the text, choices and focus of a visitor while React takes a page over. React sets each textarea back to the
 * server's text. If a browser or a tool has changed the page (linked a number, translated it), React renders all of it
 * again. Call it before React starts, and the returned function once React's page is there; that one returns the
 * element that replaced an earlier one.
 */
export function keepTypedText(): () => (earlier: HTMLElement) => HTMLElement {
  const areas = document.querySelectorAll('textarea');
  const { get } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
  for (const area of areas) Object.defineProperty(area, 'value', { configurable: true, get, set: () => undefined });
  const earlier = usedElements();
  let focused = document.activeElement;
  const follow = ({ type, target }: FocusEvent) => {
    if (type === 'focusin') focused = target as Element;
    // An element that React takes away may lose the focus too: what it had is read before this comes.
    else
      setTimeout(() => {
        focused = document.activeElement;
      });
  };
  for (const type of ['focusin', 'focusout'] as const) addEventListener(type, follow);
  return () => {
    for (const area of areas) Reflect.deleteProperty(area, 'value');
    for (const type of ['focusin', 'focusout'] as const) removeEventListener(type, follow);
    const now = usedElements();
    const names = new Map([...earlier].map(([name, element]) => [element, name]));
    const standsFor = <Its extends HTMLElement>(element: Its): Its => {
      const twin = element.isConnected ? element : now.get(names.get(element) ?? '');
      return (twin as Its | undefined) ?? element;
    };
    for (const element of earlier.values()) if (!element.isConnected) repeat(element, standsFor(element));
    if (focused instanceof HTMLElement && !focused.isConnected) {
      const twin = standsFor(focused);
      twin.focus({ preventScroll: true });
      const text = focused as Value;
      // Only fields of text have a selection.
      if (text.selectionStart != null) (twin as Value).setSelectionRange(text.selectionStart, text.selectionEnd);
    }
    return standsFor;
  };
}

/** Each by what it is and the how many-th of that kind: ids and texts may have changed. */
function usedElements(): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  for (const element of document.querySelectorAll<HTMLElement>(used)) {
    const { name = '', type = '', value = '' } = element as HTMLInputElement;
    const choice = /^(radio|checkbox|submit|button)$/.test(type) ? value : '';
    const kind = [element.tagName, type, name, choice, element.getAttribute('href')].join();
    let nth = 0;
    while (found.has(`${kind},${nth}`)) nth += 1;
    found.set(`${kind},${nth}`, element);
  }
  return found;
}

/** Repeats on an element what the visitor did to the one it replaces, so that React notices. */
function repeat(before: HTMLElement, now: HTMLElement): void {
  if (before instanceof HTMLDetailsElement) (now as HTMLDetailsElement).open = before.open;
  else if (before instanceof HTMLSelectElement) {
    const select = now as HTMLSelectElement;
    if (select.value === before.value) return;
    select.value = before.value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (before instanceof HTMLInputElement || before instanceof HTMLTextAreaElement) {
    const field = now as HTMLInputElement;
    if (before instanceof HTMLInputElement && /^(radio|checkbox)$/.test(before.type)) {
      if (field.checked !== before.checked && (before.checked || before.type === 'checkbox')) field.click();
    } else if (before.type === 'file') field.files = (before as HTMLInputElement).files;
    else if (before.value !== before.defaultValue && field.value !== before.value) {
      // React tells by the prototype's own setter that somebody typed.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, before.value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
}
