/** Keys of the state that middleware of several files share. */

import { createStateKey } from 'vern-llm';

export const spanIdKey = createStateKey<string>('tracing.spanId');
