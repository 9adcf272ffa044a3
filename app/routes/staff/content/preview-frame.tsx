import { useState } from 'react';
import { select } from '#app/ui/field.ts';
import { TextLink } from '#app/ui/staff/typography.tsx';
import { type PublicPage, previewedPage } from './public-pages.ts';
import { showPreview } from './show-preview.ts';
import { formId } from './typed-form.tsx';

type Props = {
  /** Where the preview is asked for. */
  address: string;
  /** The public pages that show the record, the main one first. */
  pages: readonly PublicPage[];
  published: boolean;
};

/** A public page with the draft laid over it, in a frame of its own; wide or as wide as a phone. */
export function Preview({ address, pages, published }: Props) {
  const [shown, setShown] = useState(pages[0]?.address);
  const [source, setSource] = useState(address);
  function show({ value, form }: HTMLSelectElement): void {
    setShown(value);
    // Who may only read has no form; the draft as kept is shown.
    if (form) showPreview(form, address);
    else setSource(`${address}?${new URLSearchParams({ [previewedPage]: value })}`);
  }
  return (
    <section aria-labelledby="preview-title" className="group min-w-0 lg:sticky lg:top-16">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
        <h2 id="preview-title" className="text-lg">
          Preview
        </h2>
        <p className="text-sm text-mute">
          {published && shown ? (
            <>
              The draft over the page as published, <TextLink to={shown}>{shown}</TextLink>
            </>
          ) : (
            'The page that the draft makes'
          )}
        </p>
        <fieldset className="ml-auto flex gap-4 text-sm">
          <legend className="sr-only">Width of the preview</legend>
          {['Wide', 'Phone'].map((width) => (
            <label key={width} className="flex items-center gap-1.5">
              <input type="radio" name="preview-width" id={`preview-${width}`} defaultChecked={width === 'Wide'} />
              {width}
            </label>
          ))}
        </fieldset>
      </div>
      {pages.length > 1 && (
        <p className="mb-2 flex flex-wrap items-center gap-x-3 text-sm">
          <label htmlFor={previewedPage}>Page</label>
          <select
            id={previewedPage}
            name={previewedPage}
            form={formId}
            value={shown}
            onChange={({ currentTarget }) => show(currentTarget)}
            className={`${select} w-auto max-w-full`}
          >
            {pages.map((page) => (
              <option key={page.address} value={page.address}>
                {page.label}
              </option>
            ))}
          </select>
        </p>
      )}
      <iframe
        name="preview"
        src={source}
        title="Preview of the page"
        // Without scripts, so that typed text cannot run.
        sandbox="allow-same-origin allow-popups"
        className="h-[75vh] w-full rounded-2xl border border-line bg-card group-has-[#preview-Phone:checked]:mx-auto group-has-[#preview-Phone:checked]:block group-has-[#preview-Phone:checked]:w-[375px]"
      />
    </section>
  );
}
