import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { serverThreads } from './scripts/server-threads.ts';

// What every page needs, but not the entry: it takes the page over at once, so it comes after everything else.
const frame =
  /\/app\/(root\.|ui\/(sign|logo|field|button|unbroken|icon|data-client|medal)\.|lib\/(money|dates|delivery|gst|initials)\.|features\/(money\/pricing|catalogue\/badges)\.|seo\/page-meta|routes\/storefront\/frame\/(missing-code|error-screen|rare-screen|not-found))/;

// What the home page and a course share, what forms do, and the steps of enrolling.
const course =
  /\/app\/(ui\/(more|text-with-note)|features\/catalogue\/(price|portrait|site\/(quest-moment|demo-lines)))\./;
const form = /\/app\/ui\/(form-(fields|state|summary)|send-form)\./;
const checkout =
  /\/app\/(routes\/enrol\/(checkout-columns|checkout-head|price-bar|price-summary)|features\/enrolments\/enrolling\/steps)\./;

// Few, larger modules compress better and cost fewer requests: 10 KB of each page.
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: 'frame', test: frame },
  { name: 'course-parts', test: course },
  { name: 'form', test: form },
  { name: 'checkout', test: checkout },
];

export default defineConfig({
  plugins: [tailwindcss(), serverThreads(), reactRouter()],
  build: { target: ['chrome111', 'safari16.4', 'firefox128'] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ssr: { build: { rolldownOptions: { input: './server/app.ts' } } },
  },
});
