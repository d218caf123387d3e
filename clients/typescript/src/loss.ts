import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/**
 * Gives the loss of a connection the code that gRPC has for it, UNAVAILABLE, after which a call can be made again.
 * What Connect says instead depends on how and when the connection was lost.
 */
export function lossIsUnavailable(isLoss: (error: ConnectError) => boolean): Interceptor {
  const judged = (caught: unknown, signal: AbortSignal) => {
    const error = ConnectError.from(caught);
    if (signal.aborted || !isLoss(error)) return error;
    return new ConnectError(error.rawMessage, Code.Unavailable, error.metadata, undefined, error);
  };
  async function* told<T>(messages: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
    try {
      yield* messages;
    } catch (error) {
      throw judged(error, signal);
    }
  }
  return (next) => async (request) => {
    const { signal } = request;
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: told(response.message, signal) } : response;
    } catch (error) {
      throw judged(error, signal);
    }
  };
}
