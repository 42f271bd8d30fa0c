import type { CommonOptions } from '../common-options.ts';
import type { Service } from './service.ts';

/** The service of `--url`, or one in this process. Both are loaded when they are needed, since each takes its time. */
async function openService(
  { url, token, serviceKey }: Pick<CommonOptions, 'url' | 'token' | 'serviceKey'>,
  store?: string,
): Promise<Service> {
  if (url !== undefined) {
    const { openRemoteService } = await import('./remote-service.ts');
    return openRemoteService({ url, token, serviceKey });
  }
  const { openInProcessService } = await import('./in-process-service.ts');
  return openInProcessService(store);
}

/** Uses a service, and closes it however that ends. When the signal aborts, the work is left at once. */
export async function withService<Result>(
  {
    options,
    signal,
    store,
  }: {
    readonly options: Pick<CommonOptions, 'url' | 'token' | 'serviceKey'>;
    readonly signal: AbortSignal;
    readonly store?: string | undefined;
  },
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await openService(options, store);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await Promise.race([use(service), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    await service.close();
  }
}
