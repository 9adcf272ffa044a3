import { useEffect, useState } from 'react';

/** The storage key of a chosen colour scheme; the script in the head reads it before the first paint. */
export const schemeKey = 'scheme';

const schemes = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
type Scheme = (typeof schemes)[number][0];

/** Chooses the light or the dark colour scheme, or follows the system. */
export function SchemeSwitch() {
  const [scheme, setScheme] = useState<Scheme>('');
  useEffect(() => {
    const { scheme: chosen } = document.documentElement.dataset;
    if (chosen === 'light' || chosen === 'dark') setScheme(chosen);
  }, []);

  function choose(next: Scheme) {
    setScheme(next);
    if (next === '') delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = next;
    try {
      if (next === '') localStorage.removeItem(schemeKey);
      else localStorage.setItem(schemeKey, next);
    } catch {
      // Storage is blocked: the choice lasts until the next page load.
    }
  }

  return (
    <fieldset className="needs-scripts flex items-center gap-1">
      <legend className="sr-only">Colour scheme</legend>
      {schemes.map(([value, label]) => (
        <label
          key={label}
          className="flex min-h-9 cursor-pointer items-center rounded-full px-3 has-checked:bg-satin-light has-checked:text-on-satin has-focus-visible:outline-3 has-focus-visible:outline-straw"
        >
          <input
            type="radio"
            name="scheme"
            value={value}
            checked={scheme === value}
            onChange={() => choose(value)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
