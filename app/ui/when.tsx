import type { ReactNode } from 'react';

/** A time in words: the days before its first comma large, the hours in a line below. `children` follow the hours. */
export function When({ text, children }: { text: string; children?: ReactNode }) {
  const [days = '', ...hours] = text.split(', ');
  return (
    <p className="tabular">
      <b className="block font-display text-2xl leading-snug font-bold text-balance max-[18rem]:text-lg">{days}</b>
      {hours.length > 0 && (
        <>
          <span className="sr-only">, </span>
          {hours.join(', ')}
        </>
      )}
      {children}
    </p>
  );
}
