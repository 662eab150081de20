//! The session's loop: frames in, answers out. tower-lsp's own loop ends at the first message that it cannot decode.

use std::panic::AssertUnwindSafe;
use std::task::Poll;
use std::time::Duration;

use futures::{FutureExt, SinkExt, StreamExt};
use tokio::io::AsyncRead;
use tokio::task::JoinSet;
use tower_lsp::jsonrpc::{Error, Request, Response};
use tower_lsp::{ClientSocket, ExitedError};
use tower_service::Service;

use super::ending::Ending;
use super::frames::{Frame, Frames};
use super::message::{self, Message};
use super::output::Output;

/// How long requests are answered after the end of the input, but for those that wait for compilers.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// Serves until the client says `exit`, its input ends, or the session does. `input_ended` is called before the last answers are waited for.
pub(super) async fn run<S>(
    input: impl AsyncRead + Unpin,
    output: Output,
    mut service: S,
    socket: ClientSocket,
    ending: &Ending,
    input_ended: impl FnOnce(),
) where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + Unpin + 'static,
{
    let (requests, mut responses) = socket.split();
    let to_client = output.clone();
    let asking = tokio::spawn(requests.for_each(move |request| {
        to_client.send(&request);
        std::future::ready(())
    }));
    let mut frames = Frames::new(input);
    let mut working = JoinSet::new();
    let mut exits = false;
    while !exits {
        while working.try_join_next().is_some() {}
        let next = async {
            output.has_room().await;
            frames.next().await
        };
        let frame = tokio::select! {
            frame = next => frame,
            () = ending.ended() => {
                exits = true;
                continue;
            }
        };
        let message = match frame {
            Ok(Some(Frame::Body(body))) if body.is_empty() => continue,
            Ok(Some(Frame::Body(body))) => message::read(body),
            Ok(Some(Frame::Broken(reason))) => Message::Refused(message::parse_error(reason)),
            Ok(None) | Err(_) => break,
        };
        match message {
            Message::Request(request) => {
                exits = request.method() == "exit";
                let id = request.id().cloned();
                let call = AssertUnwindSafe(service.call(request)).catch_unwind();
                let output = output.clone();
                let mut answer = Box::pin(call.map(move |answer| match answer {
                    Ok(Ok(Some(response))) => output.send(&response),
                    Ok(_) => {}
                    Err(_) => {
                        let failed = |id| Response::from_error(id, Error::internal_error());
                        id.map(failed).iter().for_each(|response| output.send(response));
                    }
                }));
                // Handlers put their event into the mailbox before they first wait: polled here, they do so in the order of arrival.
                let is_pending =
                    std::future::poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx).is_pending())).await;
                if is_pending {
                    working.spawn(answer);
                }
            }
            // One that nobody waits for is dropped.
            Message::Response(response) => drop(responses.send(response).await),
            Message::Refused(answer) => output.send(&answer),
        }
    }
    if !exits {
        input_ended();
        let all = async { while working.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_ANSWERS, all).await;
    }
    asking.abort();
}
