import Accounts
import Bytes
import Dispatch
import Login
import Platform
import Service
import Settings

/// The requests to an account manager, as asynchronous functions.
extension AccountManager {
  /// Logs in without interaction, other than that of the simulated user at the provider.
  func logIn(_ account: AccountSettings, _ options: LoginOptions = LoginOptions()) async -> Result<Void, OperationError>
  {
    let held = Locked<LoginSession?>(nil)
    return await withCheckedContinuation { done in
      do throws(OperationError) {
        let session = try login(account, options) { news in
          if case .address(let address, _) = news {
            SandboxVisitor(client: self.client).authorise(at: address.text) { _ in }
          }
        } completion: {
          done.resume(returning: $0)
        }
        held.withLock { $0 = session }
      } catch { done.resume(returning: .failure(error)) }
    }
  }

  func logOut(_ account: AccountSettings) async -> Result<LogoutReport, OperationError> {
    await withCheckedContinuation { done in
      do throws(OperationError) { try logout(account) { done.resume(returning: $0) } } catch {
        done.resume(returning: .failure(error))
      }
    }
  }

  func shutDown() async { await withCheckedContinuation { done in shutDown { done.resume() } } }

  func refreshed(_ accounts: [AccountSettings], onlyDue: Bool = false) async -> [RefreshReport] {
    await withCheckedContinuation { done in
      refresh(accounts, onlyDue: onlyDue, on: .global()) { done.resume(returning: $0) }
    }
  }
}
